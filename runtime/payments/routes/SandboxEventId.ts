import type { Ids } from "@carteiro/owners/Ids.ts"

/** Returns an id for an outcome without one. gaps-3 C "Sandbox status on a terminal payment" */
export const sandboxEventId = (ids: Ids["Service"], now: number): string =>
  ids.mint("evt", now).replace("evt_", "sbevt_")
