"""Runs every program of a folder without an engine, and prints what each registers, in the schema's names, as JSON."""

import glob
import json
import os
import runpy
import sys

import pulumi
from pulumi.runtime import mocks, rpc, set_all_config, set_mocks


def unmarked(value):
    """A value without the marks of secrets in it."""
    if isinstance(value, dict):
        if value.get(rpc._special_sig_key) == rpc._special_secret_sig:
            return unmarked(value["value"])
        return {name: unmarked(inner) for name, inner in value.items()}
    return [unmarked(inner) for inner in value] if isinstance(value, list) else value


class Recording(mocks.Mocks):
    def __init__(self):
        self.registered = []

    def new_resource(self, args):
        self.registered.append({"type": args.typ, "name": args.name, "inputs": unmarked(args.inputs)})
        # What it is given is known of it, and nothing else.
        return [f"{args.name}-id", {}]

    def call(self, args):
        self.registered.append({"type": args.token, "name": "", "inputs": unmarked(args.args)})
        return {}


def registered_by(path, config):
    recording = Recording()
    set_mocks(recording, preview=False)
    set_all_config(config)
    pulumi.runtime.test(lambda: runpy.run_path(path))()
    return recording.registered


folder, settings = sys.argv[1:]
config = {f"project:{name}": value for name, value in json.loads(settings).items()}
programs = sorted(glob.glob(os.path.join(folder, "*.py")))
said = {os.path.basename(path): registered_by(path, config) for path in programs}
print(json.dumps(said, default=lambda value: getattr(value, "value", str(value))))
