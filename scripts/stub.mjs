// Serves the stub's four control planes on loopback, as `quarterdeck-stub` does.
import "../testing/dist/stub/bin.js";
