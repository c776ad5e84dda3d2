/* lessons - what stands around examples, lessons and the articles' figures in English. What a lesson
 * itself says, in all languages, is in its own file (ui/lessons/).
 */
export const lessons = {
    offers: {
        examples: 'Examples',
        lessons: 'Lessons',
        articles: 'As in the articles',
        history: 'Your earlier texts',
        forget: 'Clear this list',
        clearB: 'Remove B',
        swap: 'Swap A and B',
        /** @param {number} minutes */
        minutes: minutes => `${minutes} min`,
    },
};
