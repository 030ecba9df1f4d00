/** The request headers that the server looks at. All others are checked for form and skipped, so they take no memory. */

/** Their numbers, as in `modules/text/request_head.h`. From CONNECTION on they are lists. */
export const HEADER = Object.freeze({
	HOST: 0,
	ORIGIN: 1,
	SEC_FETCH_SITE: 2,
	CONTENT_TYPE: 3,
	CONTENT_LENGTH: 4,
	TRANSFER_ENCODING: 5,
	EXPECT: 6,
	AUTHORIZATION: 7,
	LAST_EVENT_ID: 8,
	RANGE: 9,
	CONNECTION: 10,
	ACCEPT: 11,
	ACCEPT_ENCODING: 12,
	IF_NONE_MATCH: 13,
	/** Its value is not kept: "". */
	ACCEPT_LANGUAGE: 14,
});
