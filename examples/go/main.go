// A part of the platform example in Go: workspaces, a job, secrets and the mesh in one program.
package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/quarterdeck-iac/pulumi-quarterdeck/sdk/go/quarterdeck/mesh"
	"github.com/quarterdeck-iac/pulumi-quarterdeck/sdk/go/quarterdeck/scheduler"
	"github.com/quarterdeck-iac/pulumi-quarterdeck/sdk/go/quarterdeck/secrets"
	"github.com/quarterdeck-iac/pulumi-quarterdeck/sdk/go/quarterdeck/workspaces"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")
		environment := settings.Get("environment")
		if environment == "" {
			environment = "staging"
		}
		replicas := settings.GetInt("replicas")
		if replicas == 0 {
			replicas = 2
		}

		// HCP Terraform: one workspace per layer of the platform.
		ids := pulumi.StringArray{}
		for _, layer := range []string{"network", "data"} {
			workspace, err := workspaces.NewWorkspace(ctx, layer, &workspaces.WorkspaceArgs{
				Name:          pulumi.String(environment + "-" + layer),
				Description:   pulumi.String(fmt.Sprintf("The %s layer of %s", layer, environment)),
				ExecutionMode: workspaces.WorkspaceExecutionModeRemote,
				AutoApply:     pulumi.Bool(environment != "production"),
				TagNames:      pulumi.ToStringArray([]string{"platform", layer}),
			})
			if err != nil {
				return err
			}
			ids = append(ids, workspace.WorkspaceId)
		}

		// Vault: a RabbitMQ role, and MFA for every login.
		consumer, err := secrets.NewQueueRole(ctx, "orders-consumer", &secrets.QueueRoleArgs{
			Name: pulumi.String("orders-consumer"),
			Tags: pulumi.ToStringArray([]string{"monitoring"}),
			Vhosts: secrets.QueueRoleVhostsMap{
				"/orders": secrets.QueueRoleVhostsArgs{
					Configure: pulumi.String(""),
					Write:     pulumi.String(""),
					Read:      pulumi.String(`^orders\.`),
				},
			},
		})
		if err != nil {
			return err
		}
		staff, err := secrets.NewMfaMethod(ctx, "staff", &secrets.MfaMethodArgs{
			MethodName:     pulumi.String("staff"),
			OrgName:        pulumi.String("acme"),
			ApiToken:       settings.RequireSecret("identityProviderToken"),
			UsernameFormat: pulumi.String("{{identity.entity.name}}@acme.example"),
		})
		if err != nil {
			return err
		}
		_, err = secrets.NewLoginEnforcement(ctx, "everybody", &secrets.LoginEnforcementArgs{
			Name:            pulumi.String("everybody"),
			MfaMethodIds:    pulumi.StringArray{staff.MethodId},
			AuthMethodTypes: pulumi.ToStringArray([]string{"userpass", "ldap"}),
		})
		if err != nil {
			return err
		}

		// Consul: the protocol of the service.
		speaks, err := mesh.NewServiceDefaults(ctx, "orders", &mesh.ServiceDefaultsArgs{
			Name: pulumi.String("orders"),
			Spec: mesh.ServiceDefaultsSpecArgs{
				Protocol:              pulumi.String("http"),
				MaxInboundConnections: pulumi.Int(1024),
			},
		})
		if err != nil {
			return err
		}

		// Nomad: the job of the service.
		orders, err := scheduler.NewJob(ctx, "orders", &scheduler.JobArgs{
			Spec: scheduler.JobSpecArgs{
				Id:          pulumi.String("orders"),
				Datacenters: pulumi.ToStringArray([]string{"dc1"}),
				TaskGroups: scheduler.JobTaskGroupArray{scheduler.JobTaskGroupArgs{
					Name:  pulumi.String("api"),
					Count: pulumi.Int(replicas),
					Tasks: scheduler.JobTaskArray{scheduler.JobTaskArgs{
						Name:        pulumi.String("server"),
						Driver:      pulumi.String("docker"),
						Config:      pulumi.Map{"image": pulumi.String("registry.example.com/orders:1.4.2")},
						Env:         pulumi.StringMap{"QUEUE_ROLE": consumer.Name},
						KillTimeout: pulumi.String("20s"),
					}},
				}},
			},
			Purge: pulumi.Bool(true),
		}, pulumi.DependsOn([]pulumi.Resource{speaks}))
		if err != nil {
			return err
		}

		ctx.Export("workspaceIds", ids)
		ctx.Export("jobIndex", orders.JobModifyIndex)
		return nil
	})
}
