#import "DSRunViewController.h"
#import "Mixed-Swift.h"

@implementation DSRunViewController

- (void)viewDidAppear {
  [[ActivityLog sharedLog] logEvent:@"Run Screen Shown" parameters:nil];
}

- (void)lapWithNumber:(NSInteger)number {
  [ActivityLog.sharedLog logEvent:@"Run Lap"
                       parameters:@{@"number" : @(number), @"fast" : @(number > 3)}];
}

- (void)shareTo:(NSString *)target {
  // It used to be [[ActivityLog sharedLog] logEvent:@"Shared" parameters:nil];
  NSDictionary *parameters = target ? @{@"target" : target} : nil;
  [[ActivityLog sharedLog] logEvent:@"Run Shared" parameters:parameters];
}

@end
