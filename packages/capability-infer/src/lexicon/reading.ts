import { type Group, wordSet } from "./entry.ts";

const queryLanguages: ReadonlySet<string> = wordSet(`
  sql nosql mysql postgres postgresql pg psql sqlite mariadb mssql tsql oracle db database databases duckdb
  bigquery snowflake clickhouse redshift athena warehouse trino presto spark hive databricks motherduck
  cockroachdb surrealdb turso libsql redis memgraph arangodb cassandra couchbase graphql gql cypher neo4j mongo mongodb
  raw statement statements transaction params command commands script`);

/** Verbs that look at something and leave it as it was. */
export const readingGroups: readonly Group[] = [
  {
    effect: "read",
    kind: "verb",
    verbs: `read get fetch retrieve find describe lookup inspect browse discover explore locate examine
      enumerate see peek explain detect calculate calc measure compare diff validate lint assess diagnose
      predict interpret decode recommend advise summarize summarise paraphrase proofread transcribe geocode estimate
      forecast count preview echo wait await observe scrape autocomplete typeahead rerank blame introspect tally
      ls grep whois nslookup pwd traceroute disassemble decompile is has exists
      hget hgetall hkeys hvals hlen hexists lrange llen lindex smembers scard zrange zscore zcard mget ttl dbsize
      xrange xlen`,
  },
  { effect: "read", kind: "either", verbs: "search view" },
  {
    effect: "read",
    kind: "either",
    verbs: "list",
    why: "offers something for sale",
    rules: [{ effect: "unknown", at: "any", objects: wordSet("sale nft nfts") }],
  },
  { effect: "read", kind: "noun", verbs: "cat tail stat glob poll compute" },
  {
    effect: "read",
    kind: "either",
    verbs: "query",
    why: "a query in a language like SQL can write",
    rules: [
      { effect: "unknown", at: "any", objects: queryLanguages },
      { effect: "unknown", at: "bare", objects: new Set() },
    ],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "check",
    why: "ticks an item or a box",
    rules: [
      {
        effect: "unknown",
        at: "object",
        objects: wordSet(
          "item items task tasks todo todos box boxes checkbox checkboxes checklist",
        ),
      },
    ],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "ping",
    why: "calls on a person",
    rules: [
      { effect: "unknown", at: "any", objects: wordSet("user users member person team channel") },
    ],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "verify",
    why: "may send a code, or mark as verified",
    rules: [
      {
        effect: "unknown",
        at: "object",
        objects: wordSet("email phone number code otp user account domain"),
      },
    ],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "recall",
    why: "takes back what was sent",
    rules: [
      { effect: "unknown", at: "any", objects: wordSet("message messages email mail product") },
    ],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "suggest",
    why: "may post the suggestion",
    rules: [{ effect: "unknown", at: "any", objects: wordSet("change changes edit edits") }],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "translate",
    why: "moves an object",
    rules: [
      {
        effect: "write",
        at: "any",
        objects: wordSet(
          "object objects node nodes shape shapes mesh layer element elements selection model",
        ),
      },
    ],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "show",
    why: "puts something on somebody's screen",
    rules: [
      {
        effect: "write",
        at: "name",
        objects: wordSet(
          "notification toast alert dialog popup modal banner prompt window panel message",
        ),
      },
    ],
  },
  {
    effect: "read",
    kind: "verb",
    verbs: "extract",
    why: "unpacks files, or moves code",
    rules: [
      {
        effect: "write",
        at: "any",
        objects: wordSet("zip tar rar gz archive archives method function component"),
      },
      {
        effect: "unknown",
        at: "any",
        objects: wordSet("image images frame frames audio thumbnail thumbnails"),
      },
    ],
  },
];
