/* live_style - changes to the page's style sheet inside of <head-light>: there is one column, its
 * width is that of the element and not of the window, and nothing may leave the element.
 */
export const LIVE_STYLE = `
.live .stage,.live .stage.wide{display:grid;grid-template-columns:minmax(0,1fr);gap:12px;min-height:120px;position:relative}
.live .aside{position:static;height:232px;max-height:none;order:0;padding:10px 8px 0}
.live .stage.wide .aside{order:-1;height:auto;max-height:200px}
.live .beside .aside{height:auto;min-height:120px}
.live .panel{position:static;max-height:none;overflow:visible;padding:0;border:0}
.live .panel table{max-width:440px}
.live .how:not(.hint){position:static;height:auto;overflow:visible;border:0;padding:0}
.live .per-head{grid-template-columns:repeat(auto-fill,minmax(124px,1fr))}
.live .workspace{display:grid;grid-template-columns:minmax(0,1fr);gap:18px;padding:14px 8px 18px;border-top:1px solid var(--hair)}
.live .lens{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(240px,100%),1fr));gap:18px 32px;align-items:start}
.live .views{margin:0;padding:0;border:0;overflow-x:auto}
.live .progress{margin:24px auto}
.live .texts{grid-template-columns:minmax(0,1fr)}
.live .opened-bar,.live .of-head{max-width:100%}
.live .drop,.live .tour{display:none}
`;
