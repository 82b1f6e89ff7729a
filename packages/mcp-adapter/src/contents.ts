import {
  expandUriTemplate,
  type MCPPromptDescriptor,
  type MCPResourceDescriptor,
  type MCPResourceTemplate,
  type Prompt,
  type Resource,
  readPrompt,
  readPromptDescriptors,
  readResource,
  readResourceDescriptors,
  readResourceTemplates,
  type TemplateValues,
} from "@x/mcp-parse";
import type { MCPConnection } from "@x/mcp-transport";
import { startClock } from "./clock.ts";
import { adapterError } from "./errors.ts";
import type { Link } from "./link.ts";
import { type ListLimits, readList } from "./listing.ts";
import type { MCPQuarantined } from "./quarantine.ts";
import type { Recovery } from "./recovery.ts";
import type { ResultWarning } from "./result.ts";
import { readOptions, readTimeout } from "./timeout.ts";

/** A concrete uri, or a template of RFC 6570 and what goes into it. */
export type ResourceAddress =
  | string
  | { readonly uriTemplate: string; readonly params: TemplateValues };

export interface ContentOptions {
  readonly signal?: AbortSignal | undefined;
  /** The whole time. @defaultValue `requestTimeoutMs` of the config */
  readonly timeoutMs?: number | undefined;
}

interface ListExtras {
  readonly quarantined: readonly MCPQuarantined[];
  readonly warnings: readonly ResultWarning[];
}

export interface ResourceListing extends ListExtras {
  readonly resources: readonly MCPResourceDescriptor[];
}

export interface ResourceTemplateListing extends ListExtras {
  readonly resourceTemplates: readonly MCPResourceTemplate[];
}

export interface PromptListing extends ListExtras {
  readonly prompts: readonly MCPPromptDescriptor[];
}

export interface ContentSite {
  readonly server: string;
  readonly limits: ListLimits;
  readonly timeoutMs: number;
  readonly link: Pick<Link, "check">;
  readonly recovery: Recovery;
}

export function listResources(
  site: ContentSite,
  options?: ContentOptions,
): Promise<ResourceListing> {
  return list(site, "resources", "listResources", readResourceDescriptors, options);
}

export function listResourceTemplates(
  site: ContentSite,
  options?: ContentOptions,
): Promise<ResourceTemplateListing> {
  return list(site, "resources", "listResourceTemplates", readResourceTemplates, options);
}

export function listPrompts(site: ContentSite, options?: ContentOptions): Promise<PromptListing> {
  return list(site, "prompts", "listPrompts", readPromptDescriptors, options);
}

export async function fetchResource(
  site: ContentSite,
  address: ResourceAddress,
  options?: ContentOptions,
): Promise<Resource> {
  return bounded(site, "the resource was not read", options, async (connection, request) => {
    const uri =
      typeof address === "string"
        ? address
        : expandUriTemplate(address.uriTemplate, address.params);
    return readResource(await connection.readResource(uri, request));
  });
}

export async function fetchPrompt(
  site: ContentSite,
  name: string,
  args: Readonly<Record<string, string>> | undefined,
  options?: ContentOptions,
): Promise<Prompt> {
  return bounded(site, `prompt "${name}" was not read`, options, async (connection, request) =>
    readPrompt(await connection.getPrompt(name, args && { ...args }, request)),
  );
}

/** Reading changes nothing on the server. */
const repeatable = () => true;

interface BoundedRequest {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function list<Listing extends ListExtras>(
  site: ContentSite,
  capability: "resources" | "prompts",
  method: "listResources" | "listResourceTemplates" | "listPrompts",
  read: (items: readonly unknown[]) => Listing,
  options: ContentOptions | undefined,
): Promise<Listing> {
  return bounded(site, `${method} failed`, options, async (connection, { signal, timeoutMs }) => {
    const raw = await readList(
      connection,
      capability,
      (cursor, page) => connection[method](cursor, { ...page, signal }),
      site.limits,
      { timeoutMs },
    );
    const listing = read(raw.items);
    return { ...listing, warnings: [...raw.warnings, ...listing.warnings] };
  });
}

async function bounded<T>(
  site: ContentSite,
  what: string,
  options: ContentOptions | undefined,
  work: (connection: MCPConnection, request: BoundedRequest) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = readOptions(options, "options");
  const limitMs = readTimeout(timeoutMs, "timeoutMs") ?? site.timeoutMs;
  site.link.check();
  const clock = startClock(limitMs, signal);
  try {
    return await site.recovery.run(
      clock,
      (connection) =>
        clock.race(work(connection, { timeoutMs: clock.remainingMs(), signal: clock.signal })),
      repeatable,
    );
  } catch (error) {
    throw adapterError(site.server, what, error);
  } finally {
    clock.stop();
  }
}
