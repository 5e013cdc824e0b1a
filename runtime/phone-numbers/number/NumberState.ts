import type { NumberSource, NumberStatus } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"

/** The events that move a number. gaps-2 K "State machine" */
export const numberTriggers = [
  /** The number was ordered from its provider. */
  "order",
  /** The provider delivered it. */
  "deliver",
  /** Its registration with the chat platform was requested. */
  "register",
  /** The chat platform can reach it. */
  "activate",
  "fail",
  /** Its release was requested, and the provider has taken it back. */
  "request_release",
  "release",
  "disconnect"
] as const
export type NumberTrigger = (typeof numberTriggers)[number]

/** The parts of a number on which its state depends. */
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

/** All transitions, by the source of a number. gaps-2 K "State machine" */
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

/** Returns the status after a trigger; `undefined` when the trigger does not apply. gaps-2 K "State machine" */
export const nextStatus = ({ source, status }: NumberStanding, trigger: NumberTrigger): NumberStatus | undefined => {
  const move = moves[source][trigger]
  return move?.from.includes(status) === true ? move.to : undefined
}

/** Returns the statuses in which a trigger applies, for the conditions of a commit. */
export const statusesBefore = (source: NumberSource, trigger: NumberTrigger): ReadonlyArray<NumberStatus> =>
  moves[source][trigger]?.from ?? []

/** Statuses without a transition to another one. */
export const finalStatuses: ReadonlyArray<NumberStatus> = ["released", "disconnected"]

/**
 * Statuses of numbers that their account no longer has: they count for no limit, and their phone is free. gaps-3 E
 * "Phone count for plan_phone_limit_reached"
 */
export const goneStatuses: ReadonlyArray<NumberStatus> = ["failed", "released", "disconnected"]
