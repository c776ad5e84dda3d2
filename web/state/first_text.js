/* first_text - the text that a visit begins with, by itself: the first screen's question is about it, and
 * the page needs no fields of the state for that.
 */
export const FIRST_TEXT = "The animal didn't cross the street because it was too tired.";
