// Prints each mutant that no test notices as soon as it is known: a complete run takes hours.
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";

class Survivors {
  onMutantTested({ status, fileName, location, mutatorName, replacement }) {
    if (status !== "Survived" && status !== "NoCoverage") return;
    const { line, column } = location.start;
    console.log(`${status}: ${fileName}:${line}:${column} ${mutatorName}: ${JSON.stringify(replacement)}`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "survivors", Survivors)];
