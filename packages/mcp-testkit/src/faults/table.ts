import { type AnswerFaults, answerFaults } from "./answer-faults.ts";
import { type ByteFaults, byteFaults } from "./byte-faults.ts";
import type { FaultEntries, FaultEntry } from "./entry.ts";
import { type HttpFaults, httpFaults } from "./http-faults.ts";
import { type ListFaults, listFaults } from "./list-faults.ts";
import { type ProcessFaults, processFaults } from "./process-faults.ts";

/** The parameters of each fault; what they mean stands in `faultTable`. */
export interface FaultParameters
  extends ProcessFaults,
    AnswerFaults,
    ByteFaults,
    HttpFaults,
    ListFaults {}

export type FaultName = keyof FaultParameters;

/** Every fault, with a sentence, the transports and stages it works on, and its parameters with defaults. */
export const faultTable: FaultEntries<FaultParameters> = {
  ...processFaults,
  ...answerFaults,
  ...byteFaults,
  ...httpFaults,
  ...listFaults,
};

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faultTable, name);
}

/** The entry without the types of its parameters. */
export function faultEntry(name: FaultName): FaultEntry<Readonly<Record<string, unknown>>> {
  return faultTable[name];
}
