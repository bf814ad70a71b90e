import { tokensIn } from "../../../provider/services/scheduler/jobText";

test.each([
  ['vault_token = "hush-hush-1"', ["hush-hush-1"]],
  ["vault_token = <<EOT\nhush-hush-1\nEOT\n", ["hush-hush-1"]],
  ["vault_token = <<-EOT\n    hush-hush-1\n  EOT\n", ["hush-hush-1"]],
  [
    'vault_token = <<EOT\r\nhush-hush-1\r\nEOT\r\nconsul_token = "hush-hush-2"',
    ["hush-hush-1", "hush-hush-2"],
  ],
  ["vault_token = <<EOT\nhush-hush-1\n", ["hush-hush-1"]],
  ["vault_token = var.token", []],
])("the literal tokens of %j are %j", (text, tokens) => {
  expect(tokensIn(text)).toEqual(tokens);
});
