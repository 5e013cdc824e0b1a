import type { ErasureStanding } from "@carteiro/tables/Table.ts"

/** Rows stay as they are, because the law asks for them. gaps-3 C "Personal data in payments" */
export const fiscal: ErasureStanding = { keeps: 'a fiscal record: gaps-3 C "Personal data in payments"' }

/** The standings of tables whose rows never tell of a customer. gaps-2 I "Erasure" */
export const money: ErasureStanding = { holds: "amounts and ids of what was used" }
export const tenant: ErasureStanding = { holds: "what the tenant is and set up" }
export const people: ErasureStanding = { holds: "people of the tenant, never its customers" }
export const ids: ErasureStanding = { holds: "ids, instants and counts" }
