import { joinLines, unescapeView } from "./escapes";
import { decodings, type Shortest } from "./runs";
import { type TextView, viewOf } from "./view";

/** The maximum nesting of escapes of all kinds: JSON four levels deep, and two levels around it. */
const DEEPEST_ESCAPES = 8;
/** The maximum nesting of base64 and hexadecimal. Deeper layers are not shown. */
const DEEPEST_RUNS = 3;

/** All decoded forms of a text. */
export interface TextViews {
  /** The text itself first, then the views with further layers of escapes undone. */
  readonly plain: readonly TextView[];
  /** All other views: forms, and decoded runs of base64 and hexadecimal, with their own escapes undone. */
  readonly decoded: readonly TextView[];
  /** Views that were not decoded completely, because they are nested too deep or become too long. */
  readonly undecoded: readonly TextView[];
}

/** A view that needs further decoding. */
interface Layer {
  readonly view: TextView;
  readonly escapes: number;
  readonly runs: number;
  readonly isForm: boolean;
  readonly isJoined: boolean;
}

const FIRST = { escapes: 0, runs: 0, isForm: false, isJoined: false };

/**
 * Decodes a text layer by layer, in every way that can spell a secret, so that every mixture is covered. The total length of
 * all views is limited in proportion to the length of the text.
 */
export function viewsOf(text: string, shortest: Shortest): TextViews {
  const plain: TextView[] = [];
  const decoded: TextView[] = [];
  const undecoded: TextView[] = [];
  const layers: Layer[] = [{ ...FIRST, view: viewOf(text) }];
  let left = 24 * text.length + 4096;
  for (let next = 0; next < layers.length; next += 1) {
    const layer = layers[next];
    if (layer === undefined) break;
    left -= layer.view.length;
    if (left < 0 || layer.runs > DEEPEST_RUNS) undecoded.push(layer.view);
    else {
      (layer.runs === 0 && !layer.isForm ? plain : decoded).push(layer.view);
      layers.push(...below(layer, shortest));
    }
  }
  return { plain, decoded, undecoded };
}

function below(layer: Layer, shortest: Shortest): Layer[] {
  const { view, escapes, runs, isForm, isJoined } = layer;
  const layers: Layer[] = [];
  const push = (next: TextView | undefined, change: Partial<Layer>) => {
    if (next !== undefined && next.length > 0) layers.push({ ...layer, ...change, view: next });
  };
  const next = escapes < DEEPEST_ESCAPES ? unescapeView(view) : undefined;
  push(next, { escapes: escapes + 1 });
  // A plus is a blank only in the layer of a form: if the view spells a plus differently, or has no escapes left to undo.
  if (!isForm && view.codes.includes(PLUS) && (next === undefined || spellsPlus(view))) {
    push(unescapeView(view, true), { escapes: escapes + 1, isForm: true });
  }
  if (!isJoined) push(joinLines(view), { isJoined: true });
  for (const run of decodings(view, shortest)) push(run, { ...FIRST, runs: runs + 1 });
  return layers;
}

/** A secret as it is, and with one more layer of its own escapes undone at a time: a text may quote it decoded. */
export function* viewsOfSecret(secret: string): Generator<TextView> {
  let view: TextView | undefined = viewOf(secret);
  for (let depth = 0; view !== undefined && depth <= DEEPEST_ESCAPES; depth += 1) {
    yield view;
    view = unescapeView(view);
  }
}

function spellsPlus({ codes, length }: TextView): boolean {
  for (let at = 0; at + 2 < length; at += 1) {
    if (codes[at] === PERCENT && codes[at + 1] === TWO && ((codes[at + 2] ?? 0) | 0x20) === SMALL_B)
      return true;
  }
  return false;
}

const [PLUS, PERCENT, TWO, SMALL_B] = [0x2b, 0x25, 0x32, 0x62];
