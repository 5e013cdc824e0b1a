import { defineWorker } from "@carteiro/owners/Worker.ts"

/** Takes the payments of one production environment to their provider; accounts decide what they come to. */
export const PaymentWorkerEntity = defineWorker("PaymentWorker")
