#!/usr/bin/env node
// A committed file, since npm links no command whose file is missing when it installs.
require("../dist/stub/bin.js");
