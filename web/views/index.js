/* index - the list of views. A view is a pure object {id, title, needs, render, svg, table, describe};
 * to add one, write views/<v>.js and name it here. */

import {headView} from './head.js';

export const views = [headView];

export const viewOf = id => views.find(view => view.id === id) ?? headView;
