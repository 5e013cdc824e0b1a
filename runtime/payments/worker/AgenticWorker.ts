import { defineWorker } from "@carteiro/owners/Worker.ts"

/**
 * The owner of one environment's provider calls for authorizations and agentic payments; accounts decide on the
 * results.
 */
export const AgenticWorker = defineWorker("AgenticWorker")
