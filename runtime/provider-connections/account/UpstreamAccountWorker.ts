import { defineWorker } from "@carteiro/owners/Worker.ts"

/**
 * The owner of the chat platform's notices about one business account, by its id there. gaps-2 E "Inbound upstream
 * webhook"
 */
export const UpstreamAccountWorker = defineWorker("UpstreamAccount")
