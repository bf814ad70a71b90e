import * as quarterdeck from "pulumi-quarterdeck";

const releases = new quarterdeck.workspaces.GpgKey("releases", {
  asciiArmor: `-----BEGIN PGP PUBLIC KEY BLOCK-----

mI0Eaws/NgEEAMdxkGzdTet5zRfzrnHm4g2AYEFSBH1UnGbUsmsdmZuV7lzTmN3C
89y0CpbK7t/mxgc5pvUJuTFEG6l4oagX39eE0WC734SZ41OLkFQe/CXJj73gN1mx
geU7uXEAOLPwxVpNh43K9Zkcp6b3T5OREb980nZUlzdARh5TAGTKlVdPABEBAAG0
I1JlbGVhc2VzIG9uZSA8cmVsZWFzZXNAZXhhbXBsZS5jb20+iM4EEwEKADgWIQTd
DckuKgfAP0Lwv9qPA5Cpf9jwMwUCaws/NgIbAwULCQgHAgYVCgkICwIEFgIDAQIe
AQIXgAAKCRCPA5Cpf9jwM57aA/41FvrrNmlJPgnI0w0pzxNckBiMMzxqaluSbiiL
EO0gXJncDrhmVH0W/flrSu7CoDAcCU35ggPc3wtIoqLGidUi3HriotL4b1x0d04+
TcF1uUI6RqTjyCO9eheXH0GJeFoY3ocfTpdasNqLjzVv3mvJyQlc0S9O0dxfygi8
5NOTmw==
=LJBd
-----END PGP PUBLIC KEY BLOCK-----
`,
});

export const releaseKeyId = releases.keyId;
