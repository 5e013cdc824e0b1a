import { defineWorker } from "@carteiro/owners/Worker.ts"

/**
 * The owner of the daily allowance of one business portfolio, by its id at the chat platform. It decides the requests that
 * owners of numbers have written, so that all numbers together never lease more than the allowance. Decision 0150, U-LIM-01
 */
export const PortfolioWorker = defineWorker("Portfolio")
