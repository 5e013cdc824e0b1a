import { defineWorker } from "@carteiro/owners/Worker.ts"

/** Works on what the chat platform tells of a business account, by its id there. gaps-2 E "Inbound upstream webhook" */
export const UpstreamAccountEntity = defineWorker("UpstreamAccount")
