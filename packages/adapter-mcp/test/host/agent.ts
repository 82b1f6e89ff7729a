import { assertActive, emptyDraft, enter, findContext, withContext } from "./context.ts";
import type { AgentConfig, AgentFunction, RebornSignal, RunWithOptions } from "./contract.ts";
import { HostError } from "./errors.ts";

const rebornKey = Symbol("reborn");

/** Has to be returned from the handler, which then runs again with memory and resources kept. */
export function reborn<P>(newProps?: P): RebornSignal<P> {
  return Object.assign({ newProps }, { [rebornKey]: true });
}

export function createAgent<P, R>(config: AgentConfig<P, R>): AgentFunction<P, R> {
  const agent = (props: P = {} as P): Promise<R> =>
    withContext(
      {
        agentId: config.id,
        model: config.model,
        retries: config.maxRetries,
        turns: config.maxTurnSteps,
      },
      async (opened) => {
        let current = props;
        for (let generation = 0; ; generation += 1) {
          assertActive(opened);
          opened.draft = emptyDraft();
          const result = await enter(opened, () => config.handler(current));
          assertActive(opened);
          if (!isReborn<P>(result)) return result as R;
          if (generation >= (config.maxReborns ?? 100)) {
            throw new HostError("RebornLimitExceededError", `${config.id} is reborn for ever.`);
          }
          current = result.newProps ?? current;
        }
      },
    );
  return Object.defineProperty(agent, "id", { value: config.id }) as AgentFunction<P, R>;
}

function isReborn<P>(value: unknown): value is RebornSignal<P> {
  return typeof value === "object" && value !== null && rebornKey in value;
}

export async function runWith<R>(run: () => Promise<R>, options: RunWithOptions = {}): Promise<R> {
  if (findContext()) throw new Error("runWith can only be used at the top level");
  return withContext(options, (opened) => enter(opened, run));
}

export function getContextSignal(): AbortSignal | undefined {
  return findContext()?.controller.signal;
}
