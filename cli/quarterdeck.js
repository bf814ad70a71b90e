#!/usr/bin/env node
// The package's command. A file of the repository, because npm links no command whose file is not there yet.
require("../dist/cli/main.js").main(process.argv.slice(2));
