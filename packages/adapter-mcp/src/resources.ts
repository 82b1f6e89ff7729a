import { readResource, readResourceDescriptors } from "@x/mcp-parse";
import { AdapterMCPError } from "./errors.ts";
import type { ToolSite } from "./from-mcp-tool.ts";
import { isObject } from "./json.ts";
import { listPage } from "./list.ts";
import { ownName } from "./names.ts";
import { parametersOf } from "./parameters.ts";
import { readAnswer } from "./parse-error.ts";
import { contentsPart } from "./parts.ts";
import { contentOf } from "./results.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/**
 * The two tools with which a model looks at the resources of a server.
 *
 * @param taken the names that the server's tools have
 */
export function resourceTools(
  site: Omit<ToolSite, "name">,
  namespace: string | undefined,
  taken: ReadonlySet<string>,
): ToolDefinition[] {
  return [
    {
      name: ownName("list_resources", namespace, taken),
      description:
        "Lists one page of the resources that the MCP server offers. Where the answer has a nextCursor, pass it as cursor to get the next page.",
      parameters: parametersOf({
        type: "object",
        properties: {
          cursor: { type: "string", description: "The nextCursor of an earlier answer" },
        },
      }),
      handler: (args: unknown) => list(site, textOf(args, "cursor")),
    },
    {
      name: ownName("read_resource", namespace, taken),
      description: "Reads one resource of the MCP server.",
      parameters: parametersOf({
        type: "object",
        properties: { uri: { type: "string", description: "The uri of the resource, as listed" } },
        required: ["uri"],
      }),
      handler: (args: unknown) => read(site, textOf(args, "uri")),
    },
  ];
}

function textOf(args: unknown, key: string): string | undefined {
  const text = isObject(args) ? args[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

type Site = Omit<ToolSite, "name">;

async function list({ calls, signal, warn }: Site, cursor: string | undefined): Promise<string> {
  const page = await listPage(calls, "resources", cursor, await signal());
  const { resources, quarantined, warnings } = readResourceDescriptors(page.items);
  warn("resources/list", [...quarantined, ...warnings]);
  return JSON.stringify({
    resources: resources.map(({ uri, name, description }) => ({
      uri,
      name,
      ...(description !== "" && { description }),
    })),
    ...(typeof page.nextCursor === "string" && { nextCursor: page.nextCursor }),
  });
}

async function read(site: Site, uri: string | undefined): Promise<unknown> {
  if (uri === undefined) {
    throw new AdapterMCPError("invalid_arguments", "uri must be the uri of a resource");
  }
  const { calls, signal, maxTextBytes, warn } = site;
  const answer = await calls.readResource(uri, await signal());
  const { contents, warnings } = readAnswer("invalid_resource", uri, () => readResource(answer));
  warn("resources/read", warnings, uri);
  return contentOf(contents.map(contentsPart), maxTextBytes);
}
