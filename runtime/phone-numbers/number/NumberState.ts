import type { NumberSource, NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"

/** The events that move a number. gaps-2 K "State machine" */
export const numberTriggers = [
  /** Its provider was asked for it. */
  "order",
  /** The provider gave it. */
  "deliver",
  /** The chat platform was asked to register it. */
  "register",
  /** The chat platform reaches it. */
  "activate",
  "fail",
  /** It is given back to its provider, and the provider has taken it back. */
  "request_release",
  "release",
  "disconnect"
] as const
export type NumberTrigger = (typeof numberTriggers)[number]

/** A number as far as its state goes. */
export interface NumberStanding {
  readonly source: NumberSource
  readonly status: NumberStatus
}

type Moves = Readonly<
  Partial<Record<NumberTrigger, { readonly from: ReadonlyArray<NumberStatus>; readonly to: NumberStatus }>>
>

const underWay: Moves = {
  order: { from: ["requested"], to: "provisioning" },
  deliver: { from: ["provisioning"], to: "provisioned" },
  register: { from: ["provisioned"], to: "verifying" },
  activate: { from: ["verifying"], to: "active" },
  fail: { from: ["requested", "provisioning", "provisioned", "verifying", "active"], to: "failed" }
}

/** Every transition there is, by where a number comes from. gaps-2 K "State machine" */
const moves: Readonly<Record<NumberSource, Moves>> = {
  numprov: {
    ...underWay,
    request_release: { from: ["active", "failed", "provisioned"], to: "release_requested" },
    release: { from: ["release_requested"], to: "released" }
  },
  byon: {
    ...underWay,
    disconnect: { from: ["active", "verifying", "provisioned", "failed"], to: "disconnected" }
  }
}

/** Where a number stands after that happened; `undefined` when it cannot happen to it. gaps-2 K "State machine" */
export const nextStatus = ({ source, status }: NumberStanding, trigger: NumberTrigger): NumberStatus | undefined => {
  const move = moves[source][trigger]
  return move?.from.includes(status) === true ? move.to : undefined
}

/** The statuses from which a trigger moves a number, for the conditions of a commit. */
export const statusesBefore = (source: NumberSource, trigger: NumberTrigger): ReadonlyArray<NumberStatus> =>
  moves[source][trigger]?.from ?? []

/** Statuses that nothing leads out of. */
export const finalStatuses: ReadonlyArray<NumberStatus> = ["released", "disconnected"]

/** Statuses of numbers that their account does not have any more: they count for no limit, and their phone is free. gaps-3 E "Phone count for plan_phone_limit_reached" */
export const goneStatuses: ReadonlyArray<NumberStatus> = ["failed", "released", "disconnected"]
