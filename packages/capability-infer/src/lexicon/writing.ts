import { type Group, wordSet } from "./entry.ts";

const lookedUp: ReadonlySet<string> =
  wordSet(`id ids name names url urls uri address dns domain host hostname ip
  path paths symbol symbols reference references ref library libraries alias link links redirect redirects location
  place handle username version package packages doi ens did user users entity entities type types import imports`);

/** Verbs after which something is different. */
export const writingGroups: readonly Group[] = [
  {
    effect: "write",
    kind: "verb",
    destroys: true,
    verbs: `delete del remove rm rmdir unlink drop purge wipe truncate destroy erase clear flush prune terminate
      kill uninstall overwrite discard evict expunge shred revoke reset hdel lrem srem zrem xdel flushdb flushall`,
  },
  { effect: "write", kind: "either", destroys: true, verbs: "trash empty" },
  {
    effect: "write",
    kind: "verb",
    verbs: `write create add append prepend insert upsert put inject attach detach compose bootstrap init
      initialize initialise instantiate provision deprovision allocate deallocate populate replicate reparent curate mutate
      mutation declare mv cp
      mkdir touch chmod chown tee wget save persist memorize memorise remember forget retain enqueue dequeue pop
      compress decompress zip unzip gzip gunzip untar unpack modify alter amend revise rewrite adjust tweak correct
      repair heal autofix refactor rename retitle replace substitute relocate migrate reorder rearrange shuffle
      randomize randomise dedupe deduplicate consolidate combine concatenate extend shorten trim crop resize rotate
      prioritize prioritise deprioritize categorize categorise annotate finetune retrain calibrate unset configure
      reconfigure customize customise enable disable activate deactivate toggle increment decrement incr decr
      increase decrease raise lower mute unmute hide unhide unfreeze unlock unblock unban quarantine isolate
      impersonate grant renew ensure initiate extrude bevel subdivide sculpt align arrange ungroup acquire
      hset hmset hincrby lpush rpush lpop rpop sadd spop zadd xadd setex mset publish subscribe`,
  },
  {
    effect: "write",
    kind: "verb",
    verbs: `send resend deliver notify announce uninvite tweet retweet respond submit unpublish republish
      promote demote approve unapprove reject decline deny accept authorize authorise deauthorize confirm
      acknowledge ack escalate delegate assign unassign reassign nominate dismiss snooze defer postpone reschedule
      reopen finalize finalise conclude fulfill fulfil mark unmark unpin unstar unfavorite unlike unfollow
      unsubscribe unflag unlabel untag enroll enrol unenroll unregister deregister onboard offboard authenticate
      logon logoff signin signout buy sell withdraw reimburse reconcile redeem spend void donate cancel uncancel
      reserve checkin checkout give hire ban kick protect unprotect unarchive unshare introduce unstake wrap unwrap`,
  },
  {
    effect: "write",
    kind: "verb",
    verbs: `bump backfill scrub squash override flip reverse poke summon teleport dispense eject inflate deflate stamp
      notarize endorse certify attest settle liquidate rebalance redistribute harden vacuum defragment shard
      rehydrate tidy throttle unthrottle dispose deprecate decommission commission reclaim waive forgive exempt
      suppress unsuppress unsilence censor moderate remind greet welcome thank fabricate assemble weld drill
      engrave bake brew wash preheat defrost park steer accelerate brake honk dock undock transcode watermark overlay
      blend sharpen denoise upscale downscale animate stitch decimate indent outdent inline hoist bisect qualify
      disqualify remit disburse award prescribe admit discharge remediate detonate fuzz intercept spoof bet wager
      distill inpaint outpaint nack produce warm prewarm hibernate defrag symlink seal rsvp tick nest fire furlough
      chunk vectorize`,
  },
  {
    effect: "write",
    kind: "verb",
    why: "runs what it is given",
    verbs: "execute exec invoke evaluate eval dispatch simulate",
  },
  { effect: "write", kind: "either", why: "runs what it is given", verbs: "run test trigger" },
  {
    effect: "write",
    kind: "verb",
    why: "sets something going, or stops it",
    verbs: `restart reboot boot relaunch begin continue pause unpause suspend unsuspend abort interrupt halt shutdown
      poweroff rollback rollout undo redo revert restore recover redeploy undeploy reinstall downgrade reload reindex rebuild recreate recompute regenerate compile transpile emit spawn retry rerun requeue manage
      administer interact orchestrate automate synchronize synchronise resync reconnect disconnect unmount bind
      unbind associate disassociate dissociate expose cordon uncordon drain taint untaint evacuate failover expire
      reissue delist unlist relist invalidate wake retract retire repurpose`,
  },
  {
    effect: "write",
    kind: "verb",
    why: "acts on what it points at",
    verbs: `navigate goto go visit click doubleclick rightclick tap swipe pinch drag hover scroll fill choose pick
      keypress keydown keyup maximize minimize pan blur uncheck take speak say skip rewind dim brighten arm disarm
      turn throw jump spin crouch equip paint emulate handle act operate`,
  },
  {
    effect: "write",
    kind: "either",
    why: "acts on what it points at",
    verbs: "select press focus zoom draw cast",
  },
  {
    effect: "write",
    kind: "either",
    verbs: `update set import upload backup archive merge push pull patch post deploy upgrade start stop end open
      close complete clean cleanup setup sync connect edit share switch reply play launch lock star pin like vote
      copy clone duplicate mirror move fork feedback forward pair mount split join leave swap trade exchange bid
      stake mint burn claim deposit purchase pay transfer control bundle repost exit quit replay scale commit stash
      rebase hold fix finish react rate ring dial draft schedule invite transition freeze broadcast login logout
      signup apply install register resume follow sign scaffold debit make seed refresh dispute
      silence grade feed roll fund sweep`,
  },
  {
    effect: "write",
    kind: "either",
    verbs: "resolve",
    rules: [{ effect: "read", at: "object", objects: lookedUp }],
  },
  {
    effect: "write",
    kind: "verb",
    verbs: "expand",
    rules: [{ effect: "read", at: "object", objects: wordSet("url urls link query acronym") }],
  },
  {
    effect: "write",
    kind: "noun",
    verbs: `comment message mail email text order tag label log record report request alert store book call flag type
      index cache queue stage build release charge refund block bookmark favorite favourite change mention invoice
      bill ship return new place craft attack route link train allowlist denylist whitelist blacklist checkpoint`,
  },
];
