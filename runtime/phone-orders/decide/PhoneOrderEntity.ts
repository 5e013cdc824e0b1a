import { defineWorker } from "@carteiro/owners/Worker.ts"

/** Brings an approved production order (`pno_…`) to its number, and a number that is given up back to its provider. M-ORD-17..19 */
export const PhoneOrderEntity = defineWorker("PhoneOrder")
