import type { Group } from "./entry.ts";

/** Phrases whose effect is not that of their first verb. Words are joined by `+`. */
export const phraseGroups: readonly Group[] = [
  {
    effect: "read",
    kind: "verb",
    verbs: `look+up find+out read+back list+out reverse+geocode reverse+lookup reverse+search who+am+i who+is
      git+log dry+run browser+snapshot page+snapshot dom+snapshot accessibility+snapshot`,
  },
  {
    effect: "write",
    kind: "either",
    verbs: `check+out check+in log+in log+out log+on log+off sign+in sign+up sign+out sign+on sign+off opt+in
      opt+out set+up roll+back roll+out clean+up back+up shut+down hand+over pick+up drop+off top+up clock+in
      clock+out port+forward factory+reset`,
  },
  {
    effect: "write",
    kind: "verb",
    verbs: `check+off clear+out fill+in fill+out spin+up spin+down tear+down tear+up kick+off wake+up hang+up
      power+on power+off power+up power+down power+cycle hand+off cash+out scope+up scope+down speed+up slow+down
      carry+out write+off call+off cherry+pick fast+forward find+replace call+service call+tool call+api
      call+function git+fetch read+aloud read+out`,
  },
  {
    effect: "write",
    kind: "verb",
    why: "acts on what it points at",
    verbs: `browser+type computer+type mobile+type browser+check page+check element+check check+element check+ref
      double+click right+click left+click long+press key+press step+over step+into step+in step+out zoom+in
      zoom+out look+at new+tab`,
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "runs the statement that it explains",
    verbs: "explain+analyze",
  },
];

/** Compound nouns that hold a verb but do not act. Words are joined by `+`; a trailing s is understood. */
export const compoundNouns: string = `
  pull+request merge+request change+request access+request push+notification check+run check+suite test+case
  test+run test+plan test+suite test+result build+log call+log access+log audit+log change+log release+note
  load+balancer rate+limit feature+flag play+store app+store open+source source+control version+control
  access+control search+console search+index deploy+token deploy+key access+token merge+train link+type
  read+only read+receipt read+replica data+set result+set change+set start+date end+date start+time end+time
  post+office order+book follow+up pay+run pay+slip like+count vote+count`;
