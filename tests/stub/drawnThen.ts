import { Randomness } from "../../testing/stub/services/secrets/randomness";

/** The stub set a version and a variant in its UUIDs when the landed version was recorded; until mocks are restored it does so again. */
export function drawAsThen(): void {
  const { uuid } = Randomness.prototype;
  jest.spyOn(Randomness.prototype, "uuid").mockImplementation(function (this: Randomness) {
    const [low, middle, high = "", sequence = "", node] = uuid.call(this).split("-");
    return [low, middle, `4${high.slice(1)}`, `a${sequence.slice(1)}`, node].join("-");
  });
}
