export { type Html, html, type Piece } from "../../html/Html.ts"
