/* index - the list of views.
 * To add one, write views/<v>.js (views/view.js says how) and name it here.
 */
import {headView} from './head.js';

export const views = [headView];

/** @param {string} id @returns {import('./view.js').View} */
export const viewOf = id => views.find(view => view.id === id) ?? headView;
