import { Schema } from "effect"

/**
 * Prefixes and the resources they name. gaps-1 A "Identifier format", gaps-2 A "Id prefixes", gaps-3 A "Id prefixes"
 */
export const idPrefixes = {
  org: "organization",
  prj: "project",
  env: "environment",
  mem: "dashboard member",
  key: "API key",
  dva: "device authorization",
  fbk: "feedback report",
  we: "webhook endpoint",
  evt: "outbox event",
  whe: "webhook event",
  att: "webhook attempt",
  wrc: "webhook recovery",
  wls: "listen session",
  req: "request",
  cmt: "commit",
  msg: "message",
  mev: "message event",
  mda: "media asset",
  mtr: "transcription",
  con: "contact",
  cev: "consent event",
  pn: "phone number",
  pno: "phone number order",
  tpl: "template",
  tplv: "template version",
  bat: "batch",
  aud: "audience",
  flw: "flow",
  fls: "flow submission",
  pcn: "provider connection",
  pcs: "credential setup session",
  npc: "number-provider connection",
  npo: "number-provider operation",
  nme: "number management enrollment",
  grp: "group",
  pay: "payment request",
  led: "ledger entry",
  usg: "usage record",
  rsv: "reservation",
  ctu: "credit top-up",
  bpm: "saved card",
  sub: "subscription",
  inv: "subscription invoice",
  aga: "agentic authorization",
  agp: "agentic payment",
  vwh: "vendor webhook",
  eml: "e-mail",
  ntc: "dashboard notice",
  sca: "sandbox clock advance",
  adt: "audit entry"
} as const
export type IdPrefix = keyof typeof idPrefixes

/** `<prefix>_<26-character lowercase ULID>`, at most 64 characters. gaps-1 A */
export const id = <const P extends IdPrefix>(prefix: P) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, "u"), {
      expected: `an id that begins with ${prefix}_`
    })
  ).annotate({
    description: `Id of the ${idPrefixes[prefix]}.`,
    examples: [`${prefix}_01kah7v3m8q6x2r9d4t5w0y1z3`]
  })

/** An id in a path is a plain string: any other shape is not found, never 400. gaps-1 A */
export const pathId = (prefix: IdPrefix) =>
  Schema.String.annotate({
    description: `Id of the ${idPrefixes[prefix]}.`,
    examples: [`${prefix}_01kah7v3m8q6x2r9d4t5w0y1z3`]
  })

/** The trace that a response belongs to. A-CONV-22 */
export const TraceId = Schema.String.annotate({
  description: "Trace of the request that caused this. Send svc-trace-id to choose it; quote it when you ask for help.",
  examples: ["4bf92f3577b34da6a3ce929d0e0e4736"]
})
