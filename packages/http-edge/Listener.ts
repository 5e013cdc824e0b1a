export { freeBytes } from "./body/BodyBudget.ts"
export { Draining } from "./listener/Draining.ts"
export { HttpServer } from "./listener/HttpServer.ts"
