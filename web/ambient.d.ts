/* ambient - modules that come without types; what is used of them is small and tested; and what TypeScript's DOM lacks. */
declare module 'd3-scale';
declare module 'd3-shape';
declare module 'd3-scale-chromatic';

/** After an arrow key: WebKit otherwise takes focus() for a press of the mouse, and shows no ring. */
interface FocusOptions { focusVisible?: boolean }
