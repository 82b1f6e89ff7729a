import { describe, expect, it } from "vitest";
import { inferCapabilities } from "../src/index.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);
const effectOf = (name: string): string => inferCapabilities(name).effect;

describe("where the verb stands", () => {
  it.each(words("create_issue createIssue create-issue issues/create Issue.Create CREATE_ISSUE"))(
    "%s writes",
    (name) => {
      expect(effectOf(name)).toBe("write");
    },
  );

  it.each([
    [
      "first",
      "read",
      "get_settings list_addresses search_postcodes describe_instances lookup_user fetch_url",
    ],
    [
      "first",
      "write",
      "push_files assign_issue send_mail upload_file mute_host cancel_order pay_invoice",
    ],
    [
      "last",
      "read",
      "pages/retrieve users.list web_search kubectl_get channel-fetch issue_read health_check",
    ],
    ["last", "write", "odata-create files.trash issue_close tag-rename lists_reorder vault_unlock"],
    [
      "behind a prefix",
      "read",
      "slack_get_users API-retrieve-a-page maps_search_places orbit_list_tools",
    ],
    [
      "behind a prefix",
      "write",
      "slack_post_message browser_click notion-create-pages API-patch-block-children",
    ],
  ])("%s: %s in %s", (_place, effect, names) => {
    for (const name of words(names)) expect(effectOf(name), name).toBe(effect);
  });

  it("lets an HTTP verb decide even where the tool only searches: a question too many", () => {
    expect(effectOf("API-post-search")).toBe("write");
    expect(effectOf("HTTPDelete")).toBe("write");
    expect(effectOf("http_get")).toBe("read");
  });
});

describe("more than one verb", () => {
  it.each(
    words(`get_or_create_album fetch_and_delete_mail find_or_insert read_write_register listAndArchive
      search_and_replace find_replace wait_and_click tag_and_release scrape_and_store compareAndSwap
      read_and_clear create_or_update_file search_then_navigate get_users_and_post`),
  )("%s writes, for one of them does", (name) => {
    expect(effectOf(name)).toBe("write");
  });

  it.each(words("search_and_export fetch_and_analyze get_and_frobnicate get_or_frobnicate"))(
    "%s is unknown, for one of them is",
    (name) => {
      expect(effectOf(name)).toBe("unknown");
    },
  );

  it.each(words("search_and_summarize list_users_and_teams get_order_and_items find_or_list"))(
    "%s reads",
    (name) => {
      expect(effectOf(name)).toBe("read");
    },
  );

  it.each(words("stop_search start_search save_search share_list delete_list update_query"))(
    "%s writes: the first verb decides, the second is its object",
    (name) => {
      expect(effectOf(name)).toBe("write");
    },
  );

  it.each(
    words(`list_update list_archive search_save search_feedback view_close table_view_update query_run
      shopping_list_complete_item todo_list_update_item search_index_sync_now view_set_filter echo_play_music
      compute_start_instance edge_compute_upload_version preview_publish list_update_2 list_update_v2`),
  )("%s writes: the first word only looks like the verb", (name) => {
    expect(effectOf(name)).toBe("write");
  });

  it.each(words("get_set_value list_set_members"))(
    "%s writes: set after a reading verb",
    (name) => {
      expect(effectOf(name)).toBe("write");
    },
  );
});

describe("words that are verbs and nouns", () => {
  it.each(
    words(`get_update_status read_update_log list_deleted_items list_import_jobs get_upload_url get_post
      list_test_runs get_commit get_run list_pipeline_trigger_jobs get_call_history find_slow_requests
      list_open_issues get_order list_labels get_log_events search_open_issues`),
  )("%s reads: a noun after a reading verb", (name) => {
    expect(effectOf(name)).toBe("read");
  });

  it.each(
    words("comment_get order_list message_search build_get_log test_results_get import_jobs_get"),
  )("%s reads: a noun before a reading verb", (name) => {
    expect(effectOf(name)).toBe("read");
  });

  it.each(
    words(
      "comment_on_issue jira_comment_on_issue order_pizza tag_image link_task_to_epic wit_link_item_to_pr",
    ),
  )("%s writes: a verb by its place", (name) => {
    expect(effectOf(name)).toBe("write");
  });

  it.each(words("issue_comment user_message time_log work_item_type"))(
    "%s is unknown: nobody can tell",
    (name) => {
      const verdict = inferCapabilities(name);
      expect(verdict.effect).toBe("unknown");
      expect(verdict.because[0]?.detail).toContain("may be a thing or a verb");
    },
  );

  it.each(
    words("pull_request_read merge_request_list check_run_get search_pull_requests list_data_sets"),
  )("%s reads: a compound noun does not act", (name) => {
    expect(effectOf(name)).toBe("read");
  });

  it.each(words("run_get_request test_get_endpoint trigger_get_job make_get_request"))(
    "%s writes: what runs a reading request runs something",
    (name) => {
      expect(effectOf(name)).toBe("write");
    },
  );
});

describe("phrases", () => {
  it.each(
    words(`check_out_book check_in_luggage log_in logOut sign_up set_up_project roll_back_release clean_up
      back_up_database shut_down_vm spin_up_cluster tear_down_stack turn_off_light opt_out read_aloud
      browser_check clock_in port_forward git_fetch`),
  )("%s writes", (name) => {
    expect(effectOf(name)).toBe("write");
  });

  it.each(
    words(
      "look_up_address find_out_owner who_am_i reverse_geocode git_log browser_snapshot dry_run",
    ),
  )("%s reads", (name) => {
    expect(effectOf(name)).toBe("read");
  });

  it("is a noun after a reading verb", () => {
    for (const name of words("list_sign_in_logs get_check_out_date get_set_up_guide")) {
      expect(effectOf(name), name).toBe("read");
    }
  });

  it("is not known unless it is whole", () => {
    expect(effectOf("check_outage")).toBe("read");
    expect(effectOf("check_inventory")).toBe("read");
  });
});

describe("whole words", () => {
  it.each(
    words("thread_archive spreadsheet_append widget_remove checklist_complete budget_delete"),
  )("%s writes, whatever the longer word contains", (name) => {
    expect(effectOf(name)).toBe("write");
  });

  it.each(words("settings target widget thread getter lister researcher dataset readme"))(
    "%s matches nothing",
    (name) => {
      const { effect, readOnly, writes } = inferCapabilities(name);
      expect({ effect, readOnly, writes }).toEqual({
        effect: "unknown",
        readOnly: false,
        writes: false,
      });
    },
  );
});

describe("verbs whose object decides", () => {
  it.each([
    ["query_metrics", "read"],
    ["QueryShelves", "read"],
    ["query", "unknown"],
    ["orbit_query", "unknown"],
    ["query_sql", "unknown"],
    ["query_postgres_table", "unknown"],
    ["queryRaw", "unknown"],
    ["execute_sql", "write"],
    ["run_query", "write"],
    ["resolve-library-id", "read"],
    ["resolve_thread", "write"],
    ["user_resolve_issue", "write"],
    ["resolve_user_ticket", "write"],
    ["resolve_issue_by_id", "write"],
    ["resolve_symbol_at_position", "read"],
    ["resolve", "write"],
    ["check_status", "read"],
    ["check_item", "unknown"],
    ["check_item_in_list", "unknown"],
    ["check_task_status", "read"],
    ["show_table", "read"],
    ["show_notification", "write"],
    ["notification_show", "write"],
    ["extract_text", "read"],
    ["extract_zip", "write"],
    ["extract_frames", "unknown"],
    ["convert_time", "read"],
    ["convert_amount_to_usd", "read"],
    ["convert_time_entries_to_invoice", "unknown"],
    ["convert_document", "unknown"],
    ["translate_text", "read"],
    ["translate_object", "write"],
    ["verify_namespace", "read"],
    ["verify_email", "unknown"],
    ["recall_memory", "read"],
    ["recall_message", "unknown"],
    ["suggest_names", "read"],
    ["suggest_changes", "unknown"],
    ["ping", "read"],
    ["ping_user", "unknown"],
    ["expand_url", "read"],
    ["expand_task", "write"],
    ["list_orders", "read"],
    ["list_for_sale", "unknown"],
    ["explain_query", "read"],
    ["explain_analyze_query", "unknown"],
  ])("%s: %s", (name, effect) => {
    expect(effectOf(name)).toBe(effect);
  });
});

describe("doubt", () => {
  it.each(
    words(`run_code execute_command navigate click evaluate_script invoke_lambda trigger_build export_data
      download_file scan_network test_webhook analyze_code crawl_site sync do reflect x handle_message
      process_queue monitor_url generate_report take_screenshot audit_site use_search do_search`),
  )("%s is never readOnly", (name) => {
    expect(inferCapabilities(name).readOnly).toBe(false);
  });

  it("names the reason of a doubtful verb", () => {
    expect(inferCapabilities("export_data").because).toEqual([
      {
        about: "readOnly",
        says: false,
        from: "name",
        trusted: false,
        detail:
          "`export` may read or write, first word (may write a file where the server runs, or start a job)",
      },
    ]);
  });

  it.each(words("randomize_list categorate_list gamify_search propagate_status"))(
    "%s is unknown: it begins with what looks like a verb",
    (name) => {
      expect(effectOf(name)).not.toBe("read");
    },
  );

  it.each(words("template_list certificate_search spotify_search shopify_list"))(
    "%s reads: a noun that only looks like a verb",
    (name) => {
      expect(effectOf(name)).toBe("read");
    },
  );

  it.each(
    words(
      "session_stats autopilot_status tools_documentation whoami directory_tree place_details_info",
    ),
  )("%s has no verb and can only be looked at", (name) => {
    expect(effectOf(name)).toMatch(/read|write/);
  });

  it.each(["", "_", "x", "frobnicate", "models", "next_task", "削除", "удалить_файл"])(
    "nothing is known of %j",
    (name) => {
      expect(inferCapabilities(name)).toMatchObject({
        effect: "unknown",
        readOnly: false,
        writes: false,
        destructive: null,
        idempotent: null,
        openWorld: null,
        conflicts: [],
      });
    },
  );
});

describe("the sentence in `because`", () => {
  it.each([
    ["create_issue", "writes", true, "`create` is a writing verb, first word"],
    ["issue_close", "writes", true, "`close` is a writing verb, last word"],
    ["slack_post_message", "writes", true, "`post` is a writing verb, word 2 of 3"],
    ["ping", "readOnly", true, "`ping` is a reading verb, the only word"],
    ["check_out_book", "writes", true, "`check out` is a writing verb, first word"],
    ["session_stats", "readOnly", true, "`stats` names information, and no word is a verb"],
    ["frobnicate", "readOnly", false, "no word is known to be a verb"],
    ["get_and_frobnicate", "readOnly", false, "`frobnicate` stands beside `get`"],
    [
      "randomate_list",
      "readOnly",
      false,
      "`randomate` looks like a verb that the lexicon does not know",
    ],
  ])("%s", (name, about, says, detail) => {
    expect(inferCapabilities(name).because).toEqual([
      { about, says, from: "name", trusted: false, detail },
    ]);
  });
});
