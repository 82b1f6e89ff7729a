import { describe, expect, expectTypeOf, it } from "vitest";
import { splitName } from "../src/index.ts";

describe("splitName", () => {
  it.each<[name: string, words: string[]]>([
    ["create_issue", ["create", "issue"]],
    ["tag-rename", ["tag", "rename"]],
    ["files.trash", ["files", "trash"]],
    ["pages/retrieve", ["pages", "retrieve"]],
    ["resource.read:v2", ["resource", "read", "v", "2"]],
    ["admin.tools/list", ["admin", "tools", "list"]],
    ["listUsers", ["list", "users"]],
    ["ModifyJobs", ["modify", "jobs"]],
    ["getHTTPHeaders", ["get", "http", "headers"]],
    ["HTTPDelete", ["http", "delete"]],
    ["userID", ["user", "id"]],
    ["API-post-search", ["api", "post", "search"]],
    ["n8n_create_workflow", ["n", "8", "n", "create", "workflow"]],
    ["get2FACode", ["get", "2", "fa", "code"]],
    ["read2write", ["read", "2", "write"]],
    ["__do__it__", ["do", "it"]],
    ["UPPER_CASE", ["upper", "case"]],
    ["X", ["x"]],
    ["wörter zählen", ["wörter", "zählen"]],
    ["ÄndereÖl", ["ändere", "öl"]],
    ["削除_ファイル", ["削除", "ファイル"]],
    ["удалитьФайл", ["удалить", "файл"]],
    ["cafe\u0301Liste", ["café", "liste"]],
    ["ｄｅｌｅｔｅ＿ｆｉｌｅ", ["delete", "file"]],
    ["get\u200bdelete", ["get", "delete"]],
    ["list\u{1f5d1}\ufe0fdelete", ["list", "delete"]],
    ["\u0301x", ["x"]],
    ["É\u0301tatCivil", ["é\u0301tat", "civil"]],
  ])("splits %s", (name, words) => {
    expect(splitName(name)).toEqual(words);
  });

  it.each(["settings", "target", "widget", "thread", "postcodes", "addresses"])(
    "leaves %s one word",
    (name) => {
      expect(splitName(name)).toEqual([name]);
    },
  );

  it.each(["", "___", "-./:", "   ", "\ud800", "🗑"])("finds no word in %j", (name) => {
    expect(splitName(name)).toEqual([]);
  });

  it("returns plain strings", () => {
    expectTypeOf(splitName).toEqualTypeOf<(name: string) => string[]>();
  });
});
