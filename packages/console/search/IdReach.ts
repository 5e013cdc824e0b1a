import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import type { Saying } from "../kit/Language.ts"

/** Whether the search leads from an id to a page, by its prefix; a sentence says why it does not. */
export const idReach: Readonly<Record<IdPrefix, true | Saying>> = {
  org: true,
  prj: true,
  env: true,
  mem: true,
  key: true,
  dva: "A device authorization lives for minutes and is approved by its code, under Devices.",
  fbk: true,
  we: true,
  evt: true,
  whe: true,
  att: true,
  wrc: true,
  wls: "A listen session ends with its connection and has no page.",
  req: true,
  cmt: "A commit's id never leaves the server.",
  msg: true,
  mev: "An event of a message stands on the page of its message, whose id comes with it.",
  mda: true,
  mtr: true,
  con: true,
  cev: "A choice of a contact stands on the contact's page, whose id comes with it.",
  pn: true,
  pno: true,
  tpl: true,
  tplv: true,
  bat: true,
  aud: "An audience has no page; its batches have.",
  flw: true,
  fls: "An answer to a flow stands on the page of its message, whose id comes with it.",
  pcn: true,
  pcs: true,
  npc: true,
  npo: "An operation at a provider of numbers stands on the page of its account, whose id comes with it.",
  nme: "The enrollment of a number stands on the page of the number, whose id comes with it.",
  grp: true,
  pay: true,
  led: true,
  usg: true,
  rsv: true,
  ctu: true,
  bpm: true,
  sub: "A subscription stands on the page of the plan, under Billing.",
  inv: "An invoice stands on the page of the plan, under Billing.",
  aga: true,
  agp: true,
  vwh: "A call of a vendor is read by operators alone.",
  eml: "An e-mail is listed under E-mails.",
  ntc: "A notice stands on the page of billing until it is seen to.",
  sca: "An advance of a sandbox's clock stands on the page of the sandbox clock.",
  adt: "A change is listed in the audit log."
}

/** Returns why an id of this form leads nowhere; undefined for any other text. */
export const whyNowhere = (typed: string): Saying | undefined => {
  const prefix = /^([a-z]{2,5})_[0-9a-z]{26}$/.exec(typed)?.[1] ?? ""
  const reach = Object.entries(idReach).find(([one]) => one === prefix)?.[1]
  return typeof reach === "string" ? reach : undefined
}
