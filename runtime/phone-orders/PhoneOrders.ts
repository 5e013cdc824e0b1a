export { OrderReads } from "./order/OrderReads.ts"
export { OrderStandings, standingChanges } from "./order/OrderStandings.ts"
export { orderIdOf } from "./rental/Rental.ts"
export { orderChanges } from "./rental/RentalWrites.ts"
