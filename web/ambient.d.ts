/* ambient - modules that come without types; what is used of them is small and tested. */
declare module 'd3-scale';
declare module 'd3-shape';
declare module 'd3-scale-chromatic';
