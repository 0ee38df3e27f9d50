#import <Foundation/Foundation.h>

@interface DSRunViewController : NSObject
- (void)viewDidAppear;
- (void)lapWithNumber:(NSInteger)number;
- (void)shareTo:(NSString *)target;
@end
