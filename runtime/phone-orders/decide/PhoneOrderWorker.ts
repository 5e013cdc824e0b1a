import { defineWorker } from "@carteiro/owners/Worker.ts"

/**
 * The owner of one approved production order (`pno_…`): it obtains the number, and returns a number that is given up to
 * its provider. M-ORD-17..19
 */
export const PhoneOrderWorker = defineWorker("PhoneOrder")
