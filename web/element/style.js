/* style - the look of <head-light> before it has a model, as text for a constructable style sheet,
 * which a strict policy of the page around it allows. The same names and colours as style.css, few
 * enough for the first load. Heights are fixed, so that a tag can reserve the room beforehand: see
 * reservedHeight. Nothing of the host's style is inherited but whether it is visible; rules of the
 * host for head-light itself count.
 */
import {ROW} from '../draw/tokens.js';

const CAPTION = 28;
const AXES = 52;
export const BELOW = 136; // the numbers and the buttons

export const COMPACT = 68; // the caption or the numbers alone

/** The height of the element with a head view, px. @param {number} rows of tokens */
export const reservedHeight = rows => CAPTION + AXES + rows * ROW + BELOW;

export const STYLE = `
:host{all:initial;direction:ltr;display:block;visibility:inherit;pointer-events:inherit;container-type:inline-size;color-scheme:inherit;
--page:var(--headlight-page,light-dark(#fff,#15171c));
--ink:var(--headlight-ink,light-dark(#1d1f24,#e6e7ea));--soft:var(--headlight-soft,light-dark(#5a606b,#a6acb8));
--hair:var(--headlight-hair,light-dark(#dfe2e7,#333842));--edge:var(--headlight-edge,light-dark(#858c98,#767d8a));
--query:var(--headlight-query,light-dark(#6a3fb5,#b79cf2));--key:var(--headlight-key,light-dark(#08695a,#5fc9b0));
--positive:var(--headlight-accent,light-dark(#1f5fbf,#7fb2ff));
font:16px/1.5 system-ui,sans-serif}
:host([hidden]){display:none}
.light{color-scheme:light}@media screen{.dark{color-scheme:dark}}
*{box-sizing:border-box}
p,h2,ul{margin:0;padding:0;font:inherit}
button{font:inherit;color:inherit}
:focus-visible{outline:2px solid var(--positive);outline-offset:2px;border-radius:3px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.box{position:relative;background:var(--page);color:var(--ink)}
.head-view{margin:0 auto}
.figure{min-height:calc(${CAPTION + AXES}px + var(--rows,0)*${ROW}px)}
.figure-caption{height:${CAPTION}px;overflow:hidden;padding-top:4px;font-size:13px;color:var(--soft);text-align:center}
.figure-caption::first-letter{text-transform:uppercase}
.axes{height:${AXES}px;display:flex;justify-content:space-between}
.axis{font-weight:650;line-height:1.3;flex:none}
.axis span{display:block;padding-inline:8px;white-space:nowrap}
.axis small{display:block;font-weight:400;color:var(--soft);font-size:13px}
.axis.query{text-align:right}.axis.key{text-align:left}
.axis.query,.mark.query,.panel.query h2 bdi{color:var(--query)}.axis.key,.mark.key,.panel.key h2 bdi{color:var(--key)}
.columns{position:relative;touch-action:manipulation}
.canvas{position:absolute;inset:0;pointer-events:none;forced-color-adjust:none}
.tile{position:absolute;left:0}.tile canvas{position:absolute;inset:0}
.canvas.focused .base{visibility:hidden}
.column{position:absolute;top:0}
.token{display:flex;gap:6px;width:100%;padding:0 8px;border:0;background:none;font-size:15px;line-height:${ROW}px;text-align:left;
cursor:pointer;white-space:nowrap;text-shadow:0 0 2px var(--page),0 0 3px var(--page),0 0 4px var(--page)}
.column.query .token{text-align:right;justify-content:flex-end}
.token:focus-visible{outline-offset:-2px}
.token bdi{overflow:hidden;text-overflow:ellipsis;min-width:0}
.token .masked{flex:none;font-size:13px}.token .was{display:flex;min-width:18px;color:var(--soft)}
.special{color:var(--soft)}
.mark{position:absolute;top:0;pointer-events:none;border:1.5px solid;border-radius:4px}
.aside{height:84px;overflow-y:auto;padding:10px 8px 0;font-size:14px;line-height:1.45;scrollbar-width:thin}
.how{color:var(--soft);font-size:13px}.aside.chosen .how{display:none}
.panel h2 bdi{font-weight:650}
.panel li{display:inline-block;margin-right:14px;white-space:nowrap}
.panel .number{color:var(--soft);font-variant-numeric:tabular-nums}
.bar-row{min-height:52px;padding:8px;display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;font-size:14px}
.main{min-height:34px;padding:4px 14px;border:0;border-radius:6px;color:var(--page);background:var(--ink);cursor:pointer}
.plain,a{background:none;border:0;padding:2px 0;min-height:24px;color:inherit;cursor:pointer;text-decoration:underline;
text-decoration-color:var(--edge);text-underline-offset:3px}
.bar-row a{margin-inline-start:auto;color:var(--soft)}
.said{flex-basis:100%;overflow-wrap:anywhere}
@media (forced-colors:active){.main{border:1px solid ButtonText}.token{text-shadow:none}}
.box>:last-child .aside{height:${COMPACT}px}
slot{display:block;overflow-x:auto}.covered{display:none}
.box:has(.bar-row) ::slotted([data-reserved]){margin-bottom:-52px}
.blank{min-height:180px;display:grid;place-content:center;gap:4px;text-align:center;border:1px solid var(--hair);overflow-wrap:anywhere}
@container (max-width:459px){.aside{height:68px;padding-top:4px}.bar-row{min-height:68px;gap:0 14px;padding:2px 8px}
.box:has(.bar-row) ::slotted([data-reserved]){margin-bottom:-68px}}
@media print{.bar-row,.aside{display:none}}
`;
