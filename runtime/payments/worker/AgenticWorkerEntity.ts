import { defineWorker } from "@carteiro/owners/Worker.ts"

/** Takes authorizations and agentic payments of one environment to their provider; accounts decide what they come to. */
export const AgenticWorkerEntity = defineWorker("AgenticWorker")
