import { defineWorker } from "@carteiro/owners/Worker.ts"

/** The owner of one production environment's provider calls for payments; accounts decide on the results. */
export const PaymentWorker = defineWorker("PaymentWorker")
