import type { HttpRequest } from "../../provider/core/http/request";
import type { Fate, World } from "../steps/world";

/** The line of a request that patterns match, for example `PATCH /api/v2/workspaces/ws-1`. */
const lineOf = ({ method, path }: HttpRequest) => `${method} ${path}`;

/** A response of a proxy instead of the server: the request is not carried out. */
export const refusal = (status: number, text: string): Fate => ({
  answer: { status, text },
  isCarriedOut: false,
});

/** Gives this fate to every request that matches; all other requests pass. */
export function setFate(world: World, pattern: RegExp, fate: Fate): void {
  world.fate = (request) => (pattern.test(lineOf(request)) ? fate : "passes");
}

/** Lets another user act just before the first request that matches, which then has this fate. */
export function actBefore(world: World, pattern: RegExp, act: () => unknown, fate: Fate = "passes"): void {
  let isDone = false;
  world.fate = async (request) => {
    if (isDone || !pattern.test(lineOf(request))) return "passes";
    isDone = true;
    await act();
    return fate;
  };
}

/** Lets another user act just before every request that matches, which then has this fate. */
export function actBeforeEach(
  world: World,
  pattern: RegExp,
  act: () => unknown,
  fate: Fate = "passes",
): void {
  world.fate = async (request) => {
    if (!pattern.test(lineOf(request))) return "passes";
    await act();
    return fate;
  };
}

/** Lets another user act right after the first request that matches. */
export function actAfter(world: World, pattern: RegExp, act: () => unknown): void {
  world.onResponse = async (request) => {
    if (!pattern.test(lineOf(request))) return;
    world.onResponse = () => undefined;
    await act();
  };
}

/** Ends all interference. */
export function letPass(world: World): void {
  world.fate = () => "passes";
  world.onResponse = () => undefined;
}
