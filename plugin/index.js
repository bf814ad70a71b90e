// The provider plugin where the engine starts it by PulumiPlugin.yaml.
require("../dist/provider/main.js").main();
