export { orderBody } from "./order/OrderState.ts"
