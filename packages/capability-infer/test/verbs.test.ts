import { describe, expect, it } from "vitest";
import { inferCapabilities } from "../src/index.ts";
import { doubtfulGroups } from "../src/lexicon/doubtful.ts";
import type { Group, Kind } from "../src/lexicon/entry.ts";
import { readingGroups } from "../src/lexicon/reading.ts";
import { writingGroups } from "../src/lexicon/writing.ts";

function verbsOf(groups: readonly Group[], ...kinds: readonly Kind[]): string[] {
  return groups
    .filter((group) => kinds.includes(group.kind))
    .flatMap((group) => group.verbs.trim().split(/\s+/));
}

const effectOf = (name: string): string => inferCapabilities(name).effect;

/** The names among `names` whose effect is none of those expected. */
function wrong(names: readonly string[], ...expected: readonly string[]): string[] {
  return names.filter((name) => !expected.includes(effectOf(name)));
}

describe("every writing verb", () => {
  const only = verbsOf(writingGroups, "verb");
  const either = verbsOf(writingGroups, "either");
  const nouns = verbsOf(writingGroups, "noun");

  it("writes as the first word", () => {
    const names = [...only, ...either, ...nouns].map((verb) => `${verb}_gizmo`);
    expect(wrong(names, "write")).toEqual([]);
  });

  it("writes behind a prefix and as the last word, unless it is first of all a noun", () => {
    for (const verb of [...only, ...either]) {
      expect(
        wrong([`acme_${verb}_gizmo`, `gizmo_${verb}`, `acme.gizmo.${verb}`], "write"),
        verb,
      ).toEqual([]);
    }
  });

  it("writes after a reading verb and `and` or `or`", () => {
    for (const verb of [...only, ...either, ...nouns]) {
      const names = [`get_and_${verb}`, `search_gizmo_and_${verb}`, `list_or_${verb}_gizmo`];
      expect(wrong(names, "write"), verb).toEqual([]);
    }
  });

  it("writes anywhere, if it is nothing but a verb", () => {
    for (const verb of only) {
      const names = [
        `get_${verb}_gizmo`,
        `list_gizmo_${verb}`,
        `search_${verb}`,
        `check_gizmo_${verb}_now`,
      ];
      expect(wrong(names, "write"), verb).toEqual([]);
    }
  });

  it("ends a name that begins with list, search or view, if it may be a verb", () => {
    for (const verb of either) {
      expect(
        wrong([`list_${verb}`, `search_${verb}`, `view_${verb}`], "write", "unknown"),
        verb,
      ).toEqual([]);
    }
  });

  it("is a noun after get, if it may be one", () => {
    const nounsAfterGet = [...either, ...nouns].filter((verb) => verb !== "set");
    expect(
      wrong(
        nounsAfterGet.map((verb) => `get_${verb}_gizmo`),
        "read",
      ),
    ).toEqual([]);
  });

  it("is never read-only as a bare word", () => {
    expect(wrong([...only, ...either, ...nouns], "write")).toEqual([]);
  });
});

describe("every reading verb", () => {
  const verbs = verbsOf(readingGroups, "verb", "either", "noun");

  it("reads as the first word", () => {
    expect(
      wrong(
        verbs.map((verb) => `${verb}_gizmo`),
        "read",
      ),
    ).toEqual([]);
  });

  it("reads behind a prefix", () => {
    const names = verbsOf(readingGroups, "verb", "either").map((verb) => `acme_${verb}_gizmo`);
    expect(wrong(names, "read")).toEqual([]);
  });

  it("does not make a deleting tool read", () => {
    for (const verb of verbs) {
      const names = [
        `${verb}_and_delete_gizmo`,
        `delete_${verb}`,
        `${verb}_gizmo_delete`,
        `${verb}_delete`,
      ];
      expect(wrong(names, "write"), verb).toEqual([]);
    }
  });

  it("is not readOnly beside a word nobody knows", () => {
    const known = verbs.filter((verb) => verb !== "query");
    expect(
      wrong(
        known.map((verb) => `${verb}_or_frobnicate`),
        "unknown",
      ),
    ).toEqual([]);
  });
});

describe("every doubtful verb", () => {
  const verbs = verbsOf(doubtfulGroups, "verb", "either", "noun");

  it("is never readOnly where it acts, and says why", () => {
    for (const verb of verbs) {
      for (const name of [verb, `${verb}_gizmo`, `search_and_${verb}`]) {
        expect(effectOf(name), name).toBe("unknown");
      }
      expect(inferCapabilities(`${verb}_gizmo`).because[0]?.detail).toMatch(/ \(.+\)$/);
    }
  });

  it("gives way to a writing verb", () => {
    expect(
      wrong(
        verbs.map((verb) => `${verb}_and_delete`),
        "write",
      ),
    ).toEqual([]);
  });
});

describe("names of many trades, none of them readOnly", () => {
  it.each([
    [
      "home",
      "light_turn_on set_thermostat lock_door vacuum_floor dim_lights arm_alarm open_garage start_timer",
    ],
    ["robots", "move_arm grip_object drive_forward dock_robot park_car honk_horn calibrate_sensor"],
    [
      "money",
      "place_order transfer_funds pay_bill charge_card refund_payment book_flight buy_stock close_position",
    ],
    [
      "mail",
      "send_mail reply_to_thread forward_message mark_as_read archive_mail snooze_thread draft_email",
    ],
    [
      "chat",
      "post_message pin_message react_to_message invite_user kick_user leave_channel ban_member",
    ],
    [
      "code",
      "merge_branch push_commit rebase_branch revert_commit apply_patch rename_symbol extract_method",
    ],
    [
      "browser",
      "browser_click browser_type browser_navigate press_key fill_form drag_drop hover_element upload_file",
    ],
    [
      "databases",
      "execute_sql drop_table insert_rows run_query write_query mysql_query truncate_table vacuum_table",
    ],
    [
      "cloud",
      "deploy_stack scale_service reboot_instance terminate_pod attach_volume rotate_keys roll_back",
    ],
    [
      "files",
      "write_file move_file touch_file chmod_file unzip_archive symlink_folder append_line",
    ],
    [
      "media",
      "play_song skip_track record_audio upscale_image watermark_video transcode_clip render_scene",
    ],
    [
      "design",
      "create_frame set_fill_color resize_node group_layers extrude_face boolean_union_apply",
    ],
    [
      "people",
      "hire_candidate approve_leave assign_shift onboard_employee promote_user deactivate_account",
    ],
    ["health", "prescribe_drug admit_patient discharge_patient schedule_visit refill_prescription"],
    [
      "games",
      "attack_mob craft_item equip_armor place_block mine_ore teleport_player summon_boss dig_hole",
    ],
    [
      "crypto",
      "swap_tokens stake_eth bridge_assets mint_nft sign_transaction unstake_eth vote_on_proposal",
    ],
  ])("%s", (_trade, names) => {
    const readOnly = names.split(" ").filter((name) => inferCapabilities(name).readOnly);
    expect(readOnly).toEqual([]);
  });
});
