import type { Json } from "../value/json";
import type { Observation, Values } from "./object";
import type { Route } from "./route";

/**
 * What a service says of a write before it is made, asked for in a preview: once for each object that is to be written, and
 * never by what writes it.
 */
export interface Forecast {
  /** The request. It changes nothing, and so is sent as a read is. */
  readonly asks: Route;
  /** The input that turns it off with `false`, and the setting of the connection of the same name. */
  readonly unless: string;
  /** The request's body, made of the whole body that the write will carry. */
  body(write: Observation["body"]): Json;
  /** The members that are in every answer; without them it is none. */
  readonly answers: readonly string[];
  /** What an answer says, for the person who reads the preview. */
  says(answer: Observation["body"], about: Forecasted): readonly ForecastLine[];
}

/** A write that is to come. */
export interface Forecasted {
  readonly inputs: Values;
  /** What the program wrote at our last write; nothing where it is to be created. */
  readonly applied?: Values;
  /** The token that the write will carry, where it is the one of an object that was read. */
  readonly token?: string;
  /** Whether a create takes over what is just what the program writes. */
  readonly adoptsIdentical: boolean;
}

/** One thing that a forecast says; a text of several lines is shown as one. */
export interface ForecastLine {
  readonly kind: "info" | "warning";
  readonly text: string;
}
