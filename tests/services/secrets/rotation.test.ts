/** Repeats the rekey tests on a server that has only the authenticated endpoints, like OpenBao 2.5 by default. */
process.env.QUARTERDECK_TEST_REKEY = "authenticated";

require("./rekey.test");
require("./rekeyLosses.test");
