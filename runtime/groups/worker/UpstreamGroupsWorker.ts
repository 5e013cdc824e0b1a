import { defineWorker } from "@carteiro/owners/Worker.ts"

/**
 * The owner of the chat platform's notices about groups of one number, by its id there. gaps-3 B "Production group
 * calls"
 */
export const UpstreamGroupsWorker = defineWorker("UpstreamGroups")
